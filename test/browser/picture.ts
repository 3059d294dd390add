/** Makes the picture of the guide, `docs/studio.png`, of the studio as it is: `node test/browser/picture.ts`. */
import { join } from 'node:path';
import { startCommand } from '../../tools/shared/commandLine.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { choose, openStudio } from './openStudio.ts';

const SHOWN = 'openidLoggedIn.keycloak-suspended';
const SIZE = { width: 1_280, height: 720 };

const COMMAND = {
  name: 'test/browser/picture.ts',
  purpose: 'makes the picture of the studio that the guide shows',
  options: {},
  example: '',
} as const satisfies Command;

await startCommand(COMMAND, async () => {
  const { page, studio, close } = await openStudio();
  try {
    await studio.ready();
    await page.setViewportSize(SIZE);
    await choose(page, SHOWN);
    await page.locator('.live').filter({ hasNotText: 'saving' }).waitFor();
    await page.screenshot({ path: join(PROJECT, 'docs', 'studio.png') });
    return 0;
  } finally {
    await close();
  }
});
