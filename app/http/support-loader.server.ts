import type { Env } from '#server/env.ts'
import type { RouterContextProvider } from 'react-router'
import { requestContext } from './request-context.server.ts'

/** The loader of pages that only show how to contact support. */
export const supportLoader = (args: { context: Readonly<RouterContextProvider> }): Env['support'] =>
  args.context.get(requestContext).env.support
