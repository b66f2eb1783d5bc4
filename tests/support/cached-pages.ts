import type { AvailableVariant } from './demo-catalog.ts'

/**
 * A cookie that the shop reads, but not for these pages. With it, a page is rendered for the
 * request.
 */
export const unusedCookie = 'sidebar_state=true'

/** Pages that the cache keeps. */
export const listCachedPages = ({ name, productId, variantId }: AvailableVariant): string[] => [
  '/',
  '/products',
  '/products?category=OTC&page=2',
  `/products?q=${encodeURIComponent(name)}`,
  '/products?q=ibuprofne',
  '/products?q=heartburn',
  '/products?q=no%20such%20%22%3Cmedicine%3E%26',
  '/products?ndc=0000-0000-00',
  '/products?stock=in&sort=price',
  `/products/${productId}`,
  `/products/${productId}?variant=${variantId}`,
]

/** The nonce of a page. */
export const readNonce = (html: string): string => /nonce="([^"]+)"/.exec(html)?.[1] ?? ''

/** A page with the same text in place of its nonce. */
export const withoutNonce = (html: string): string => html.replaceAll(readNonce(html), 'nonce')
