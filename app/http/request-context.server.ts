import type { Context } from '#server/context.ts'
import type { Env } from '#server/env.ts'
import { createContext, type RouterContextProvider } from 'react-router'

/** What the server put beside the request: the use cases' context, the environment and the page's nonce. */
export type RequestContext = { ctx: Context; env: Env }

export const requestContext = createContext<RequestContext & { nonce: string }>()

/** The use cases' context of this request. */
export const contextOf = (args: { context: Readonly<RouterContextProvider> }): Context =>
  args.context.get(requestContext).ctx

/**
 * The page that was rendered for this request. It goes beside React Router, which looks at the body of every answer
 * and so makes a stream of a text.
 */
export const renderedPage = createContext<string | null>(null)
