import type { TestProject } from 'vitest/node'
import { makeTemplates } from './databases.ts'
import { findPostgres } from './postgres.ts'

/** Starts one Postgres server and creates the templates for the run. Removes both afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
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
