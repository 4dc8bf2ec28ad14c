import qrcode from 'qrcode-generator';
import { BoundedMap } from '../../platform/kernel/bounded-map.js';
import { madeOnce } from '../../platform/kernel/made-once.js';
import { attributes, html, type Html } from './html.js';

/** White modules around the code (ISO/IEC 18004 section 9.1): without them scanners fail on a dark page. */
const QUIET_ZONE = 4;
/** Runs of the alphabet of the alphanumeric mode, which needs 5.5 bits per character instead of 8, that are long enough to change the mode for. */
const ALPHANUMERIC = /((?:^[0-9A-Z $%*+\-./:]+$)|[0-9A-Z $%*+\-./:]{20,})/;

export interface QrOptions {
  /** Encoded unchanged. Pass bech32 in capitals: it means the same and gives a smaller code. */
  readonly value: string;
  /** The text for screen readers; the value itself is beside the code as text. */
  readonly label: string;
  readonly mini?: boolean;
}

function strokes(isDark: (column: number) => boolean, count: number, row: number): string {
  let path = '';
  for (let start = 0; start < count; start++) {
    if (!isDark(start)) continue;
    let end = start;
    while (end < count && isDark(end)) end++;
    path += `M${start + QUIET_ZONE} ${row + QUIET_ZONE}h${end - start}`;
    start = end;
  }
  return path;
}

interface Code {
  readonly size: number;
  readonly path: string;
}

/** A code takes 20 ms to make, and a page that waits for its payment is loaded often. */
const codes = new BoundedMap<string, Code>(2 ** 20, ({ path }) => path.length);

function drawn(value: string): Code {
  const code = qrcode(0, 'L');
  value.split(ALPHANUMERIC).forEach((part, index) => part !== '' && code.addData(part, index % 2 === 1 ? 'Alphanumeric' : 'Byte'));
  code.make();
  const count = code.getModuleCount();
  const path = Array.from({ length: count }, (_, row) => strokes((column) => code.isDark(row, column), count, row)).join('');
  return { size: count + 2 * QUIET_ZONE, path };
}

export function qr({ value, label, mini }: QrOptions): Html {
  const { size, path } = madeOnce(codes, value, () => drawn(value));
  const shape = attributes({
    class: mini ? 'qr mini' : 'qr',
    role: 'img',
    'aria-label': label,
    viewBox: `0 0 ${size} ${size}`,
    width: 272,
    height: 272,
  });
  return html`<svg ${shape} shape-rendering="crispEdges">
    <rect width="100%" height="100%" fill="#fff" />
    <path transform="translate(0 .5)" stroke="#000" d="${path}" />
  </svg>`;
}
