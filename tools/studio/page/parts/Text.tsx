import { useState } from 'preact/hooks';
import { cut, piecesOf } from '../showing.ts';

/** A text of a login. Nothing in it hides, and nothing in it reorders what is around it. */
export function Text({ text }: { text: string }) {
  return (
    <bdi class="text">
      {piecesOf(text).map((piece) =>
        piece.isEscape ? (
          <span class="escape" title="A character that cannot be seen">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  );
}

/** In characters. */
const SHOWN_AT_FIRST = 400;

/** A text that is cut where it is long. */
export function LongText({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  if (isWhole || text.length <= SHOWN_AT_FIRST) return <Text text={text} />;
  return (
    <>
      <Text text={cut(text, SHOWN_AT_FIRST)} />{' '}
      <button type="button" class="link" onClick={() => setIsWhole(true)}>
        show all {text.length} characters
      </button>
    </>
  );
}
