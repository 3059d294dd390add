import type { SignInResult } from '../../api.ts';
import { Panel } from '../parts/Panel.tsx';
import { Sign } from '../parts/Shape.tsx';
import { Text } from '../parts/Text.tsx';
import { attentionFirst, claimWord } from './claims.ts';

const COLUMNS = ['Claim', 'ID token', 'UserInfo', 'Compared'];

/** Where each claim is from, by name: its value is in the event. */
export function Claims({ claims }: { claims: SignInResult['claims'] }) {
  return (
    <Panel
      title="Claims"
      aside={
        <small>
          The event has the claims of the ID token. A handler sees those of UserInfo only if it asks for them.
        </small>
      }
    >
      <table class="claims">
        <thead>
          <tr>
            {COLUMNS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {attentionFirst(claims).map((claim) => (
            <tr key={claim.name}>
              <th scope="row">
                <Text text={claim.name} />
              </th>
              <td>{claim.idToken ? 'yes' : 'no'}</td>
              <td>{claim.userInfo ? 'yes' : 'no'}</td>
              <td>
                <Sign word={claimWord(claim)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
