/**
 * What a promise brings; or the error that is made when it has not settled in so many milliseconds. The time runs
 * from before `start` is called. What the promise brings later is dropped.
 */
export async function within<TResult>(
  ms: number,
  start: () => Promise<TResult>,
  makeError: () => Error,
): Promise<TResult> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(makeError()), ms);
  });
  try {
    return await Promise.race([start(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
