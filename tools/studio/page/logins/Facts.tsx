import type { ComponentChildren } from 'preact';
import { kindOf } from '../../../shared/functions.ts';
import { timeText } from '../../../shared/readable.ts';
import type { LoginDetail } from '../../api.ts';
import { CopyButton } from '../parts/CopyButton.tsx';
import { EditorButton } from '../parts/EditorButton.tsx';
import { Sign } from '../parts/Shape.tsx';
import { Text } from '../parts/Text.tsx';
import { hrefOf } from '../route.ts';
import { useStudio } from '../useStudio.ts';
import { handlerWord, ORIGINS, typeWord, VERDICTS } from '../words.ts';

/** What the login was answered by, and what can be done with it. */
export function Facts({ login }: { login: LoginDetail }) {
  const { project } = useStudio();
  const { name, origin, functionName, type, reason, status, isHttp, handler, verdict, command } = login;
  const { id, file, handlerFile, cameAs } = login;
  const fn = project.functions.find((one) => one.name === functionName);
  return (
    <div class="facts">
      <dl>
        <Fact title={ORIGINS[origin]}>
          <Text text={name} /> <small>{kindOf(functionName)}</small>
        </Fact>
        <Fact title="Response">
          <Sign word={typeWord(type)} /> <code>{reason}</code> {isHttp && <small>HTTP {status}</small>}
        </Fact>
        {cameAs !== null && (
          <Fact title="When it came">
            <code>{cameAs}</code>
          </Fact>
        )}
        <Fact title="Verdict">
          <Sign word={VERDICTS[verdict]} />
        </Fact>
        <Fact title="Handler">
          <code>{handlerWord(handler)}</code>
        </Fact>
        <Fact title="Checks">{checksText(login, fn?.checks ?? {})}</Fact>
        <Fact title="Stage">{project.stage}</Fact>
      </dl>
      <p class="actions">
        {handlerFile !== null && (
          <EditorButton id={id} what="handler" file={handlerFile} label="Open the handler" />
        )}
        {file !== null && <EditorButton id={id} what="event" file={file} label="Open the event" />}
        {command !== null && <CopyButton text={command} label="Copy the command" />}
        <a class="button" href={hrefOf({ view: 'keep', id })}>
          Keep as a sample
        </a>
      </p>
    </div>
  );
}

function Fact({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function checksText({ isChecked, moment }: LoginDetail, checks: Readonly<Record<string, string>>): string {
  const settings = Object.entries(checks).map(([setting, value]) => `${setting}=${value}`);
  const clock = moment === null ? 'at the real time' : `at its own time, ${timeText(moment)}`;
  return `${isChecked ? settings.join(', ') : 'off'}; ${clock}`;
}
