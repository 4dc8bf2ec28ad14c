import type { Environment } from './environment.js';
import { rateOf, type Rate } from './rate.js';

/** `SIGN_IN_ACCOUNT` → `signInAccount`. */
type CamelCase<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Text>;

/** The variables of rate limits. */
export type RateVariable = Extract<keyof Environment, `THROTTLE_${string}`>;
type NameOf<Variable> = Variable extends `THROTTLE_${infer Name}` ? CamelCase<Name> : never;

/** The rates by the names of their policies, which are those of their variables: THROTTLE_ADDRESS is `address`. */
export type ThrottleConfig = { readonly [Variable in RateVariable as NameOf<Variable>]: Rate };

const PREFIX = 'THROTTLE_';
const camelCase = (text: string): string => text.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export function throttleOf(env: Environment): ThrottleConfig {
  const variables = Object.entries(env).filter(([variable]) => variable.startsWith(PREFIX));
  const rates = variables.map(([variable, text]) => [camelCase(variable.slice(PREFIX.length)), rateOf(String(text))]);
  return Object.fromEntries(rates) as ThrottleConfig;
}
