const HEX = 16;
const hex8 = (value: bigint): string => value.toString(HEX).toUpperCase().padStart(8, '0');

/** A position in the write-ahead log: "16/B374D848" as a number. */
export function lsnOf(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** Names the segments of the log that hold the bytes from `start` to before `stop`. @param timeline the first eight digits of the names */
export function segmentNames(timeline: string, start: bigint, stop: bigint, segmentBytes: bigint): string[] {
  const perFile = 0x1_0000_0000n / segmentBytes;
  const names: string[] = [];
  for (let segment = start / segmentBytes; segment <= (stop - 1n) / segmentBytes; segment++)
    names.push(`${timeline}${hex8(segment / perFile)}${hex8(segment % perFile)}`);
  return names;
}

/** @throws Error for a backup label of an unknown form */
export function startOf(label: string): { readonly timeline: string; readonly lsn: bigint } {
  const [, lsn, file] = /^START WAL LOCATION: ([0-9A-F]+\/[0-9A-F]+) \(file ([0-9A-F]{24})\)$/m.exec(label) ?? [];
  if (lsn === undefined || file === undefined) throw new Error(`PostgreSQL's backup label has an unknown form:\n${label}`);
  return { timeline: file.slice(0, 8), lsn: lsnOf(lsn) };
}
