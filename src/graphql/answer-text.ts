import type { BaseContext, GraphQLRequestContextWillSendResponse } from '@apollo/server';
import type { FormattedExecutionResult } from 'graphql';

/** Turns results into what is sent over HTTP: bounds the answers of queries, and shapes the refusals of a throttle as everywhere else. */
export class AnswerText {
  /** Data of mutations: what has happened is told, however long that is. */
  private readonly unbounded = new WeakSet<object>();
  /** Errors that are a refusal of a throttle. */
  private readonly throttled = new WeakSet<object>();
  /** Texts that were made before, by their data. */
  private readonly texts = new WeakMap<object, string>();

  constructor(private readonly mostBytes: number) {}

  /** Notes what only the request knows. */
  note({ operation, response: { body, http } }: GraphQLRequestContextWillSendResponse<BaseContext>): void {
    if (body.kind !== 'single') return;
    const { data, errors } = body.singleResult;
    if (data && operation?.operation === 'mutation') this.unbounded.add(data);
    if (errors && http.status === 429) this.throttled.add(errors);
  }

  /** From now on this is the text of these data. */
  keep(data: object): string {
    const text = this.make({ data: data as Record<string, unknown> });
    this.texts.set(data, text);
    return text;
  }

  /** Apollo's `stringifyResult`. */
  readonly stringify = (result: FormattedExecutionResult): string => {
    const { data, errors } = result;
    if (errors && this.throttled.has(errors))
      return this.make({ error: { code: 429, status: 'TOO_MANY_REQUEST', message: errors[0]?.message }, ...result });
    const known = data && !errors ? this.texts.get(data) : undefined;
    if (known !== undefined) return known;
    const text = this.make(result);
    return !this.isTooLong(text) || (data && this.unbounded.has(data)) ? text : this.make({ errors: [TOO_LARGE] });
  };

  private isTooLong(text: string): boolean {
    // A character of JavaScript takes three bytes at most, and one at least.
    return text.length > this.mostBytes || (text.length > this.mostBytes / 3 && Buffer.byteLength(text) > this.mostBytes);
  }

  private make(result: object): string {
    return `${JSON.stringify(result)}\n`;
  }
}

const TOO_LARGE = {
  message: 'The answer would be too long. Ask for fewer fields or shorter pages',
  extensions: { code: 'RESPONSE_TOO_LARGE' },
};
