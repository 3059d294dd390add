import { afterEach, expect, jest, test } from '@jest/globals';
import { createLog } from '../../lib/login/log.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test('records that cannot be written are counted, and the count is written before the next one that can be', () => {
  const written: unknown[] = [];
  const takes = (record: unknown) => void written.push(record);
  const full = () => {
    throw Object.assign(new Error('write EAGAIN'), { code: 'EAGAIN' });
  };
  const info = jest.spyOn(console, 'info').mockImplementation(full);
  const warn = jest.spyOn(console, 'warn').mockImplementation(full);
  const log = createLog({ level: 'INFO', isJson: true, socket: null });
  log.info({ event: 'first' });
  log.info({ event: 'second' });
  info.mockImplementation(takes);
  warn.mockImplementation(takes);
  log.info({ event: 'third' });
  log.info({ event: 'fourth' });
  expect(written).toEqual([{ event: 'log_records_lost', count: 2 }, { event: 'third' }, { event: 'fourth' }]);
});
