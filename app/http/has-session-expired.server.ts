import { createContext } from 'react-router'

/**
 * Whether a form was submitted after its session ended: then the page stays, with what was typed.
 */
export const hasSessionExpired = createContext(false)
