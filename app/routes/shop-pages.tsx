import { Outlet } from 'react-router'
import { RouteError } from '../components/RouteError.tsx'
import type { Route } from './+types/shop-pages'

/**
 * The shop's pages. Their errors end here, below the root: React Router does not load the data of a
 * route whose own boundary shows an error, and the root's has the signed-in user and the cart.
 */
export default Outlet

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => <RouteError error={error} isTitled />
