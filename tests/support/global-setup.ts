import type { TestProject } from 'vitest/node'
import { bundleCommands } from './commands.ts'
import { makeTemplates } from './databases.ts'
import { findPostgres } from './postgres.ts'

/**
 * Bundles the commands, starts one Postgres server and creates the templates for the run. Removes
 * the last two afterwards.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await bundleCommands()
  const server = await findPostgres()
  try {
    const { remove, ...templates } = await makeTemplates(server.url)
    project.provide('templates', templates)
    return async () => {
      await remove()
      await server.stop()
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}
