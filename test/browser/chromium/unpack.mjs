/**
 * Unpacks the browser, its fonts and its libraries out of the package `@sparticuz/chromium`, into the folder that
 * `TMPDIR` names: the package takes no other. The first argument is the package's entry point.
 */
import { argv } from 'node:process';

const { default: chromium } = await import(argv[2]);
await chromium.executablePath();
