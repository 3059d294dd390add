import type { Paste } from '../../api.ts';

const FORMS: readonly { form: Paste['form']; title: string; about: string }[] = [
  { form: 'plain', title: 'Plain', about: 'as the provider sent it' },
  { form: 'known', title: 'As the service sends it', about: 'short names, joined values, rounded times' },
];

/** The form of the event that is made of the capture. */
export function FormChoice({ form, onForm }: { form: Paste['form']; onForm: (form: Paste['form']) => void }) {
  return (
    <fieldset class="choice">
      <legend>Form of the event</legend>
      {FORMS.map((choice) => (
        <label key={choice.form}>
          <input
            type="radio"
            name="form"
            checked={choice.form === form}
            onChange={() => onForm(choice.form)}
          />
          <span>
            {choice.title} <small>{choice.about}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
