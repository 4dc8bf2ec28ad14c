import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Level, type Logger } from 'pino';

/** Patterns of Sluice's and HTTP's credentials, anywhere in a line. */
const secretsOf = (prefix: string): readonly [RegExp, string][] => [
  // Also those of another installation, such as `sluice_staging`.
  [new RegExp(`\\b${prefix}_((?:[a-z0-9]+_)*)[0-9A-Za-z]{16,}`, 'g'), `${prefix}_$1[redacted]`],
  [/\b(Bearer|Basic) +[\w.~+/=-]{8,}/gi, '$1 [redacted]'],
  [
    /(\\?"?(?:password|secret|client_secret|code|code_verifier|refresh_token|access_token|token|authorization|x-api-key|oauth2-token|cookie|preimage)\\?"?\s*[:=]\s*\\?"?)[^\s"\\&,}]{6,}/gi,
    '$1[redacted]',
  ],
  [/(postgres(?:ql)?:\/\/[^:/\s]+:)[^@\s]+@/g, '$1[redacted]@'],
];

/** Nest's start-up log: hundreds of lines that no operator needs. */
const FRAMEWORK: ReadonlySet<string> = new Set(['InstanceLoader', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

interface LogLine {
  readonly level: number;
  readonly time: string;
  readonly context?: string;
  readonly event?: string;
  readonly msg?: string;
  readonly action?: string;
  readonly err?: { readonly stack?: string };
}

const CONTROLS = /\p{Cc}/gu;

/** The message of an error can have line breaks, and no part of it may look like another log line. */
const indented = (stack: string): string =>
  stack
    .split('\n')
    .map((line) => `    ${line.replace(CONTROLS, ' ').trimStart()}`)
    .join('\n');

/** A log line for a terminal: time, level if not info, event or context, message and action, without control characters. */
function readable(line: string): string {
  const { level, time, context, event, msg = '', action, err } = JSON.parse(line) as LogLine;
  const loud = level >= 40 || level < 30 ? `${pino.levels.labels[level] ?? level}: ` : '';
  const origin = event ?? context;
  const text = [origin === undefined ? msg : `${origin}: ${msg}`, ...(action === undefined ? [] : [action])].join('. ');
  return `${time.slice(11, 19)} ${loud}${text.replace(CONTROLS, ' ')}${err?.stack ? `\n${indented(err.stack)}` : ''}\n`;
}

const PINOS: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'context']);

/** The text and the fields of what was passed as the message: an error, `{ message, ...fields }`, a text or another value. */
function partsOf(message: unknown): { readonly text: string; readonly fields: object } {
  if (message instanceof Error) return { text: message.message, fields: {} };
  if (typeof message === 'string') return { text: message, fields: {} };
  const { message: text, ...fields } = (message ?? {}) as { readonly message?: unknown };
  if (typeof text !== 'string') return { text: JSON.stringify(message), fields: {} };
  return { text, fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !PINOS.has(name))) };
}

/** Structured logs: one JSON object a line, or readable lines with `readable`; the last step redacts credentials from every line. */
export class PinoLogger implements LoggerService {
  private readonly pino: Logger;
  readonly error = this.at('error');
  readonly warn = this.at('warn');
  readonly debug = this.at('debug');
  readonly verbose = this.at('trace');
  readonly fatal = this.at('fatal');

  constructor(
    options: { readonly level: string; readonly tokenPrefix: string; readonly readable?: boolean },
    destination?: DestinationStream,
  ) {
    const secrets = secretsOf(options.tokenPrefix);
    const sieve = (line: string): string => secrets.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line);
    // Readable lines are made from the JSON first: redaction is the last step in either form.
    const written = options.readable ? (line: string): string => sieve(readable(line)) : sieve;
    this.pino = pino(
      { level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks: { streamWrite: written } },
      destination ?? pino.destination({ dest: 1, sync: true }),
    );
  }

  log(message: unknown, ...more: unknown[]): void {
    this.write(FRAMEWORK.has(String(more.at(-1))) ? 'debug' : 'info', message, more);
  }

  private at(level: Level): (message: unknown, ...more: unknown[]) => void {
    return (message, ...more) => this.write(level, message, more);
  }

  /** Nest's calling convention: the message, any values, and last the context's name. */
  private write(level: Level, message: unknown, more: unknown[]): void {
    const last = more.at(-1);
    const context = typeof last === 'string' ? last : undefined;
    // Nest logs why a start failed, with a stack, and throws it too: the caller reports it.
    if (context === 'ExceptionHandler') return;
    const error = [message, ...more].find((each) => each instanceof Error);
    const { text, fields } = partsOf(message);
    this.pino[level]({ ...(context !== undefined && { context }), ...(error && { err: error }), ...fields }, text);
  }
}
