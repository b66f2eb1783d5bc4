import { z } from 'zod'

/**
 * Runs the files of SOURCES in this process, one after the other and without arguments. A file's
 * exit only ends that file. Prints the exit code and the output of each, as JSON.
 */
class Exit extends Error {}

const files = z.array(z.string()).parse(JSON.parse(process.env['SOURCES'] ?? ''))
const print = process.stdout.write.bind(process.stdout)
const results = []
process.exit = (code) => {
  process.exitCode = code ?? undefined
  throw new Exit()
}
for (const file of files) {
  let [out, err] = ['', '']
  process.stdout.write = (text) => Boolean((out += String(text)))
  process.stderr.write = (text) => Boolean((err += String(text)))
  process.exitCode = undefined
  try {
    await import(`../../${file}`)
  } catch (error) {
    if (!(error instanceof Exit)) err += String(error)
  }
  results.push({ code: process.exitCode, out, err })
}
process.exitCode = 0
print(JSON.stringify(results))
