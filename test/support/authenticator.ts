import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: string | Buffer): string => Buffer.from(data).toString('base64url');
/** CBOR (RFC 8949) of what an authenticator sends: small maps with texts, byte strings and small whole numbers. */
function cbor(value: unknown): Buffer {
  const head = (major: number, length: number): Buffer =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, each]) => [cbor(key), cbor(each)])]);
}

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 64;

export interface Ceremony {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

interface Signed {
  /** Where the browser says that the ceremony happened. */
  readonly origin: string;
  readonly verified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
}

/** An authenticator with one passkey, in software: it signs what a test says, also what no browser would. */
export class SoftwareAuthenticator {
  readonly id = base64url(randomBytes(32));
  private readonly key: KeyObject;
  private readonly cose: Buffer;
  private userHandle: string | undefined;
  counter = 0;

  /** @param rsa a public key that it registers in the place of its own */
  constructor(rsa?: { readonly n?: string; readonly e?: string }) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.key = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const coordinate = (text: string): Buffer => Buffer.from(text, 'base64url');
    const members: [number, unknown][] = rsa
      ? [
          [1, 3],
          [3, -257],
          [-1, coordinate(rsa.n ?? '')],
          [-2, coordinate(rsa.e ?? '')],
        ]
      : [
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, coordinate(x)],
          [-3, coordinate(y)],
        ];
    this.cose = cbor(new Map(members));
  }

  /** What a browser sends after `navigator.credentials.create`. */
  create({ challenge, rp, user }: Ceremony, { origin, verified = true }: Signed): string {
    this.userHandle = user?.id;
    const id = Buffer.from(this.id, 'base64url');
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.cose]);
    const data = this.data(rp?.id ?? '', verified, HAS_CREDENTIAL, 0, attested);
    const attestationObject = base64url(
      cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', data],
        ]),
      ),
    );
    return this.response({
      clientDataJSON: this.client('webauthn.create', challenge, origin),
      attestationObject,
      transports: ['internal'],
    });
  }

  /** What a browser sends after `navigator.credentials.get`. */
  get(
    { challenge, rpId = '' }: Ceremony,
    { origin, verified = true, counter = ++this.counter, userHandle = this.userHandle ?? '' }: Signed,
  ): string {
    const clientDataJSON = this.client('webauthn.get', challenge, origin);
    const data = this.data(rpId, verified, 0, counter, Buffer.alloc(0));
    const signature = sign('sha256', Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]), this.key);
    return this.response({ clientDataJSON, authenticatorData: base64url(data), signature: base64url(signature), userHandle });
  }

  private response(response: object): string {
    return JSON.stringify({ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response });
  }

  private client(type: string, challenge: string, origin: string): string {
    return base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  private data(rpId: string, verified: boolean, flags: number, counter: number, attested: Buffer): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags | USER_PRESENT | (verified ? USER_VERIFIED : 0)]), count, attested]);
  }
}
