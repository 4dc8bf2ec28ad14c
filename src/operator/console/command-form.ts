import { isStorable } from '../../platform/kernel/text.js';
import { UsageError, type Arguments, type OperatorCommand } from '../command/index.js';

/** An argument or an option of a command, as a form asks for it. */
export interface CommandField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly kind: 'text' | 'box' | 'choice';
  readonly options: readonly string[];
  readonly required: boolean;
}

/** Those that belong to a terminal. */
const OF_TERMINALS: ReadonlySet<string> = new Set(['json', 'ask', 'limit']);

const labelOf = (name: string): string => {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function argumentsOf({ arguments: form = '' }: OperatorCommand): CommandField[] {
  return [...form.matchAll(/([<[])([^>\]]+)[>\]]/g)].map(([, bracket, said = ''], index) => {
    const options = said.includes('|') ? said.split('|') : [];
    const label = options.length > 0 ? 'Value' : labelOf(said);
    return { name: `argument-${index + 1}`, label, kind: options.length > 0 ? 'choice' : 'text', options, required: bracket === '<' };
  });
}

const optionsOf = (options: OperatorCommand['options'], required: boolean): CommandField[] =>
  Object.entries(options ?? {}).flatMap(([form, hint]) => {
    const [, name = '', value] = /^--([\w-]+)(?: (.*))?$/.exec(form) ?? [];
    return OF_TERMINALS.has(name) ? [] : [{ name, label: labelOf(name), hint, kind: value ? 'text' : 'box', options: [], required }];
  });

export const fieldsOf = (command: OperatorCommand): readonly CommandField[] => [
  ...argumentsOf(command),
  ...optionsOf(command.requiredOptions, true),
  ...optionsOf(command.options, false),
];

/** Does the command ask for the password of the operator who acts? */
export const asksPassword = ({ requiredOptions = {} }: OperatorCommand): boolean =>
  Object.keys(requiredOptions).some((form) => form.startsWith('--operator '));

/** What a command line would hold. @param value of a field; '' where it is empty @throws UsageError when a required one is */
export function argumentsIn(command: OperatorCommand, value: (name: string) => string): Arguments {
  const given = fieldsOf(command).map((field) => ({ ...field, value: value(field.name).trim() }));
  const missing = given.find((field) => field.required && field.value === '');
  if (missing) throw new UsageError(`${missing.label} is missing`);
  const broken = given.find((field) => !isStorable(field.value));
  if (broken) throw new UsageError(`${broken.label} must not contain U+0000`);
  const filled = given.filter((field) => field.value !== '');
  const isList = (name: string): boolean =>
    Object.keys({ ...command.requiredOptions, ...command.options }).some((form) => form.startsWith(`--${name} `) && form.endsWith('...>'));
  return {
    positionals: filled.filter(({ name }) => name.startsWith('argument-')).map((field) => field.value),
    options: Object.fromEntries(
      filled
        .filter(({ name }) => !name.startsWith('argument-'))
        .map((field) => [field.name, field.kind === 'box' ? true : isList(field.name) ? field.value.split(/\s+/) : field.value]),
    ),
  };
}
