import { counted } from '../../../shared/readable.ts';
import type { KeepPlan, PlacedText } from '../../api.ts';
import { Panel } from '../parts/Panel.tsx';
import { Scrolling } from '../parts/Scrolling.tsx';
import { LongText, Text } from '../parts/Text.tsx';

interface ReplacedProps extends Pick<KeepPlan, 'replaced'> {
  isOpen: boolean;
  ticked: readonly PlacedText[];
  onTick: (ticked: PlacedText[]) => void;
  onReplan: () => void;
}

/** The texts that are replaced. Those that are ticked stay in the next plan. */
export function Replaced({ replaced, isOpen, ticked, onTick, onReplan }: ReplacedProps) {
  const choices = [...ticked, ...replaced.filter((one) => !isIn(ticked, one))];
  const toggle = (one: PlacedText) =>
    onTick(isIn(ticked, one) ? ticked.filter((other) => !isSame(one, other)) : [...ticked, one]);
  return (
    <Panel title="Texts that are replaced" aside={<small>{counted(replaced.length, 'text')}</small>}>
      <details open={isOpen}>
        <summary>Let some of them stay, where the handler compares them</summary>
        <Scrolling label="Texts that may stay">
          <table>
            <thead>
              <tr>
                <th scope="col">Text</th>
                <th scope="col">Place</th>
              </tr>
            </thead>
            <tbody>
              {choices.map((one) => (
                <tr key={`${one.path} ${one.text}`}>
                  <td>
                    <label>
                      <input type="checkbox" checked={isIn(ticked, one)} onChange={() => toggle(one)} />{' '}
                      <LongText text={one.text} />
                    </label>
                  </td>
                  <td>
                    <Text text={one.path} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolling>
      </details>
      <p class="actions">
        <button type="button" onClick={onReplan}>
          Show what would be written with {counted(ticked.length, 'ticked text')}
        </button>
      </p>
    </Panel>
  );
}

function isIn(texts: readonly PlacedText[], one: PlacedText): boolean {
  return texts.some((other) => isSame(one, other));
}

function isSame(one: PlacedText, other: PlacedText): boolean {
  return one.path === other.path && one.text === other.text;
}
