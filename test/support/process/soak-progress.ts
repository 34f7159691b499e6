const pause = 10_000;

/** Prints every ten seconds how far a soak is; nothing in other tests. */
export function soakProgress(total: number): (done: number) => void {
  if (process.env.HISTORY_PROGRESS === undefined) return () => {};
  const start = Date.now();
  let last = start;
  return (done) => {
    const now = Date.now();
    if (now - last < pause && done < total) return;
    last = now;
    const rate = (done * 1000) / (now - start);
    const left = Math.ceil((total - done) / rate);
    const share = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} histories`;
    const time = `${Math.floor(left / 60)} min ${left % 60} s left`;
    console.info(done < total ? `${share}, ${rate.toFixed(1)} a second, ${time}` : share);
  };
}
