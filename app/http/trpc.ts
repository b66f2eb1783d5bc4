import { paths } from '#domain/paths.ts'
import type { ErrorCode } from '#domain/errors.ts'
import type { AppRouter } from '#server/trpc/router.ts'
import { keepPreviousData, QueryClient } from '@tanstack/react-query'
import { httpBatchLink } from '@trpc/client'
import { createTRPCReact } from '@trpc/react-query'
import { callPromptLink } from './call-prompts.ts'

/** The back office's calls, typed by the server's router. */
export const trpc = createTRPCReact<AppRouter>()

const maxCalls = 10

/** Queries are sent as POST too, so that search terms never appear in a URL or a proxy's log. */
export const newTrpcClient = () =>
  trpc.createClient({
    links: [callPromptLink, httpBatchLink({ url: paths.trpc, methodOverride: 'POST', maxItems: maxCalls })],
  })

/**
 * Never stale, no retries, no refetch on focus (specification, section 9). Unmounted queries are
 * refetched.
 */
export const newQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: 0,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { retry: false },
    },
  })

/**
 * The loader's data as the query's initial data. Current rows stay visible until new ones arrive.
 */
export const initialFromLoader = <Params, Page>(loaded: { params: Params; page: Page }, params: Params) => ({
  ...(JSON.stringify(loaded.params) === JSON.stringify(params) && { initialData: loaded.page }),
  placeholderData: keepPreviousData,
  // The frame reports its failure (app/routes/admin/frame/LoadFailure.tsx).
  meta: { isList: true },
})

/** Why a call failed: a message to show, and the fields that it concerns. */
export type CallFailure<Row = unknown> = {
  code: ErrorCode | null
  message: string
  fields: Readonly<Record<string, string>>
  /** After a stale edit, the row as it is stored now. */
  current: Row | null
}

/** What was typed is still in the form, so it says how to keep it. */
export const signedOutMessage = 'You’re signed out. Sign in again in another tab, then try again.'

/** Where the server's message says less than the page knows. */
const ownMessages: Partial<Record<ErrorCode, string>> = {
  UNAUTHENTICATED: signedOutMessage,
  // The user read the question, which is the server's message, and pressed Cancel.
  CONFIRMATION_REQUIRED: 'You didn’t confirm this change. Nothing was saved.',
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/**
 * Reads an error of a call. Without a response, it was the connection, and the call may have
 * succeeded.
 */
export function toCallFailure<Row = unknown>(error: unknown): CallFailure<Row> {
  const data = isRecord(error) && isRecord(error['data']) ? error['data'] : null
  if (!data || !(error instanceof Error)) {
    return {
      code: null,
      message: 'We couldn’t connect to the server. Check your connection and try again.',
      fields: {},
      current: null,
    }
  }
  const code = data['code'] as ErrorCode
  return {
    code,
    message: ownMessages[code] ?? error.message,
    fields: (data['fields'] ?? {}) as Record<string, string>,
    current: (data['current'] ?? null) as Row | null,
  }
}
