import { redirect } from 'react-router'

/** Needs sign-in; a visitor is led home (specification, section 2). */
export const loader = () => redirect('/')
