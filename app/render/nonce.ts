import { createContext } from 'react'

/** The page's CSP nonce while it is rendered on the server; the browser needs none. */
export const NonceContext = createContext<string | undefined>(undefined)
