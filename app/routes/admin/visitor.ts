import { redirect } from 'react-router'

/** The back office is for admins; everybody else, signed in or not, is led home (specification, section 6). */
export const loader = () => redirect('/')
