/** A thread that ends its process with the process that started it, also where a handler never yields. */
import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';

new Socket({ fd: workerData, readable: true })
  .on('close', () => process.kill(process.pid, 'SIGKILL'))
  .resume();
