import { redirect } from 'react-router'

/** A profile is a signed-in customer's; a visitor is led home (specification, section 2). */
export const loader = () => redirect('/')
