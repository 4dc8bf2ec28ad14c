import { createContext, existingConfig, settingsContext, type CreateAppOptions } from '../app/bootstrap.js';
import { BACKENDS } from '../platform/config/index.js';
import { PinoLogger } from '../platform/logging/index.js';
import { CommandError, type Arguments, type Command, type CommandProcess, type OperatorCommand } from '../operator/command/index.js';

/** Runs a command in the application, which connects the node only for commands with `usesNode`. */
export async function runInApplication(
  command: Command | OperatorCommand,
  args: Arguments,
  print: (line: string) => void,
  {
    extensions,
    lightning,
    onChain,
    program,
  }: Pick<CreateAppOptions, 'extensions' | 'lightning' | 'onChain'> & { readonly program: string },
  { env, stderr }: CommandProcess,
): Promise<void> {
  const config = existingConfig(env);
  const isKnown = lightning !== undefined || BACKENDS.some((name) => name === config.lightningBackend);
  if (command.usesNode === true && !isKnown)
    throw new CommandError(`"${command.name}" needs your Lightning back end. Run it from your own entry point: runCommand({ lightning })`);
  // A command's result goes to standard output; the log, from warnings upwards, to standard error.
  const logger = new PinoLogger({ level: 'warn', tokenPrefix: config.tokenPrefix }, { write: (line) => void stderr.write(line) });
  if ('usesSettingsOnly' in command) {
    const settings = settingsContext({ env, config, logger, ...(extensions && { extensions }) });
    return command.run(settings, args, print, program);
  }
  const usesNode = command.usesNode !== undefined && isKnown;
  const { context, close } = await createContext({
    env,
    config,
    logger,
    ...(extensions && { extensions }),
    usesNode,
    ...(usesNode && lightning && { lightning }),
    ...(usesNode && onChain && { onChain }),
  });
  try {
    await command.run(context, args, print, program);
  } finally {
    await close();
  }
}
