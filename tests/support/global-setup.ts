import type { TestProject } from 'vitest/node'
import { makeTemplates } from './databases.ts'
import { findPostgres } from './postgres.ts'

/** Once a run: one Postgres and one migrated template an engine. Both are gone after it. */
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
