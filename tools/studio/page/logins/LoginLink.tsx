import { kindOf } from '../../../shared/functions.ts';
import type { LoginRow } from '../../api.ts';
import { memo } from '../memo.ts';
import { Shape } from '../parts/Shape.tsx';
import { Text } from '../parts/Text.tsx';
import { hrefOf } from '../route.ts';
import { counted, toneOf, VERDICTS } from '../words.ts';

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
        <Text text={row.name} />
      </span>
      <span class="kind">{kindOf(row.functionName)}</span>
      <span class={`what is-${tone}`}>
        <Text text={row.sentence} />
      </span>
      <Remarks row={row} />
    </a>
  );
});

/** What asks for attention. */
function Remarks({ row: { changes, verdict, isWronglyIn } }: { row: LoginRow }) {
  const { word, tone } = VERDICTS[verdict];
  return (
    <span class="remarks">
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
