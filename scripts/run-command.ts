import { PostgresProgramError } from '#db/engine/dump-postgres.ts'
import { AppError } from '#domain/errors.ts'
import { EnvError } from '#server/env-error.ts'
import { toAppError, toOperatorMessage } from '#server/errors.ts'
import { parseArgs, type ParseArgsConfig } from 'node:util'

/**
 * A problem that the person at the command line can fix. The message is printed as it is: a
 * sentence, and after a wrong option a second line with the usage.
 */
export class CommandError extends Error {}

/**
 * Reads the options of a command.
 * @param usage how the command is called
 * @param args by default, all arguments of the process
 * @throws CommandError for an option that it does not have, or one without its value
 */
export function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: Options,
  args: string[] = process.argv.slice(2),
) {
  try {
    return parseArgs({ options, args }).values
  } catch (error) {
    const [problem = ''] = error instanceof Error ? error.message.split('\n') : []
    throw new CommandError(`${problem.replace(/\.?$/, '.')}\nUsage: ${usage}`, { cause: error })
  }
}

/**
 * Runs a command and exits with the code it returns. A problem of its arguments, its environment or
 * its machine is printed to stderr without a stack trace, and exits with 1. Any other error is a
 * defect.
 * @param Problem what else the person at the command line can fix
 */
export async function runCommand(
  main: () => Promise<number>,
  Problem: new () => Error = CommandError,
): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!isExpected(error) && !(error instanceof Problem)) throw error
    process.stderr.write(`${toOperatorMessage(error)}\n`)
    // What a failed start left open, such as idle connections, would keep the process.
    process.exit(1)
  }
}

/** Postgres' code for a role without the right to a table. */
const insufficientPrivilege = '42501'

/**
 * The last three conditions are for a database that went away or a full disk, for a file or folder
 * that cannot be used, and for a table that belongs to another role.
 */
const isExpected = (error: unknown): boolean =>
  error instanceof CommandError ||
  error instanceof EnvError ||
  error instanceof AppError ||
  error instanceof PostgresProgramError ||
  toAppError(error).code !== 'INTERNAL' ||
  (error instanceof Error && 'syscall' in error) ||
  (error instanceof Error && 'code' in error && error.code === insufficientPrivilege)
