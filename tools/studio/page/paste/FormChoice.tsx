import type { Paste } from '../../api.ts';
import { Choice, type Option } from '../parts/Choice.tsx';

const FORMS: readonly Option<Paste['form']>[] = [
  { value: 'plain', title: 'Plain', about: 'as the provider sent it' },
  { value: 'known', title: 'As the service sends it', about: 'short names, joined values, rounded times' },
];

/** The form of the event that is made of the capture. */
export function FormChoice({ form, onForm }: { form: Paste['form']; onForm: (form: Paste['form']) => void }) {
  return <Choice legend="Form of the event" options={FORMS} value={form} onValue={onForm} />;
}
