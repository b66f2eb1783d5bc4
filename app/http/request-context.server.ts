import type { Context } from '#server/context.ts'
import type { Env } from '#server/env.ts'
import { createContext, type RouterContextProvider } from 'react-router'
import type { Frame } from '../components/frame.ts'

/**
 * What the server adds to a request: the use-case context, the environment and the page's nonce.
 */
export type RequestContext = { ctx: Context; env: Env }

export const requestContext = createContext<RequestContext & { nonce: string }>()

/** The use-case context of this request. */
export const getContext = (args: { context: Readonly<RouterContextProvider> }): Context =>
  args.context.get(requestContext).ctx

/**
 * The page rendered for this request. It bypasses React Router, which reads the body of every
 * response and so turns a string into a stream.
 */
export const renderedPage = createContext<string | null>(null)

/** The frame of this request, when it was loaded before its page. */
export const loadedFrame = createContext<Frame | null>(null)
