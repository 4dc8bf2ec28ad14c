/**
 * The result of `work`, or of `late` once `ms` are over and what has arrived by then is read: a process that stood still for that long has its
 * answer. The work itself is not interrupted.
 * @throws the errors of `work` until then, and of `late`
 */
export async function within<T, Late = T>(ms: number, work: Promise<T>, late: () => Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  let afterReading: NodeJS.Immediate | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(() => (afterReading = setImmediate(resolve)), ms).unref()));
  try {
    return await Promise.race([work, over.then(late)]);
  } finally {
    clearTimeout(timer);
    clearImmediate(afterReading);
  }
}
