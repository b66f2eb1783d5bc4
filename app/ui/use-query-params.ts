import { useLocation } from 'react-router'

/** The parameters of the page's URL, to read. Links and forms change them. */
export const useQueryParams = (): URLSearchParams => new URLSearchParams(useLocation().search)
