/** Why something could not be done. */
export function Problem({ message }: { message: string | null }) {
  if (message === null) return null;
  return (
    <p class="problem" role="alert">
      {message}
    </p>
  );
}
