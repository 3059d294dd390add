/** The bench's table of growing inputs. */
import { startGrowth } from './growth.ts';

const KB = 1_024;
/** Until the compiler has settled. */
const MEASURED_MS = 50;

/** Rows of input, then for 1 KB, 32 KB and the largest input: the login and `JSON.parse` of its event, in milliseconds. */
export async function growingInputs(): Promise<string[][]> {
  const growth = await startGrowth();
  const rows = [];
  for (const { label, largest, measure } of growth.inputs) {
    const cells = async (bytes: number) => {
      const measured = await measure({ bytes, by: 'clock', forMs: MEASURED_MS });
      return measured ? [shown(measured.loginMs), shown(measured.parseMs)] : ['not in time', '-'];
    };
    await cells(KB);
    const small = [...(await cells(KB)), ...(await cells(32 * KB))];
    rows.push([label, ...small, `${Math.ceil(largest / KB)} KB`, ...(await cells(largest))]);
  }
  await growth.stop();
  return rows;
}

function shown(ms: number): string {
  return ms.toFixed(ms < 1 ? 3 : 1);
}
