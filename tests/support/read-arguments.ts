import { parseArgs, type ParseArgsConfig } from 'node:util'

/**
 * Reads the arguments of a command of the tests. With `--help` it prints how the command is called
 * and ends the process, and after a wrong argument also what is wrong.
 */
export function readArguments<const Config extends ParseArgsConfig>(usage: string, config: Config) {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(`Usage: ${usage}\n`)
    process.exit(0)
  }
  try {
    return parseArgs(config)
  } catch (error) {
    const [problem = ''] = error instanceof Error ? error.message.split('\n') : []
    process.stderr.write(`${problem}\nUsage: ${usage}\n`)
    process.exit(1)
  }
}
