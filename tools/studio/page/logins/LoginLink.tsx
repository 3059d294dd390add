import { kindOf } from '../../../shared/functions.ts';
import { counted } from '../../../shared/readable.ts';
import type { LoginRow } from '../../api.ts';
import { memo } from '../memo.ts';
import { Shape } from '../parts/Shape.tsx';
import { Text } from '../parts/Text.tsx';
import { hrefOf } from '../route.ts';
import { titleOf, toneOf, VERDICTS } from '../words.ts';

interface LoginLinkProps {
  row: LoginRow;
  isOpen: boolean;
  isTabStop: boolean;
}

/** A login in the list. */
export const LoginLink = memo(({ row, isOpen, isTabStop }: LoginLinkProps) => {
  const tone = toneOf(row);
  return (
    <a
      href={hrefOf({ view: 'logins', id: row.id })}
      data-id={row.id}
      aria-current={isOpen ? 'true' : undefined}
      tabIndex={isTabStop ? 0 : -1}
    >
      <Shape tone={tone} />
      <span class="name">
        <Text text={titleOf(row)} />
      </span>
      <span class="kind">
        {kindOf(row.functionName)}
        {row.at !== null && ` ${timeText(row.at)}`}
      </span>
      <span class={`what is-${tone}`}>
        <Text text={row.sentence} />
      </span>
      <Who row={row} />
      <Remarks row={row} />
    </a>
  );
});

/** The person, where the title is the name of a sample, and the issuer without its scheme. */
function Who({ row: { origin, person, issuer } }: { row: LoginRow }) {
  const shown = [origin === 'sample' ? person : null, issuer?.replace(/^https?:\/\//, '') ?? null];
  const text = shown.filter((one) => one !== null).join(' · ');
  return text === '' ? null : (
    <span class="who">
      <Text text={text} />
    </span>
  );
}

/** With the date where it is not today's. */
function timeText(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString() : date.toLocaleString();
}

/** What asks for attention. */
function Remarks({ row: { changes, cameAs, verdict, isWronglyIn } }: { row: LoginRow }) {
  const { word, tone } = VERDICTS[verdict];
  return (
    <span class="remarks">
      {cameAs !== null && <span class="remark is-changed">{cameAs} when it came</span>}
      {changes.length > 0 && (
        <span class="remark is-changed">± {counted(changes.length, 'field')} changed</span>
      )}
      {!isWronglyIn && (verdict === 'differs' || verdict === 'failed') && (
        <span class={`remark is-${tone}`}>
          {verdict === 'differs' ? '≠' : '✕'} {word}
        </span>
      )}
    </span>
  );
}
