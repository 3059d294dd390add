/** Whether the toolkit has been asked for a secret or a look-up in this process: the texts of errors may hold it from then on. */

let isAsked = false;

export function markAsked(): void {
  isAsked = true;
}

export function hasAsked(): boolean {
  return isAsked;
}
