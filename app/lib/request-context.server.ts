import type { Context } from '#server/context.ts'
import type { Env } from '#server/env.ts'
import { createContext, type RouterContextProvider } from 'react-router'

/** What the server put beside the request: the use cases' context, the environment and the page's nonce. */
export type RequestContext = { ctx: Context; env: Env; nonce: string }

export const requestContext = createContext<RequestContext>()

/** The use cases' context of this request. */
export const contextOf = (args: { context: Readonly<RouterContextProvider> }): Context =>
  args.context.get(requestContext).ctx
