/** The identifier that tells a package apart, as it is printed: "NDC 0143-1473-01". */
export function primaryIdentifier({
  ndc,
  din,
  upc,
}: {
  ndc: string | null
  din: string | null
  upc: string | null
}): string | null {
  if (ndc) return `NDC ${ndc}`
  if (din) return `DIN ${din}`
  return upc ? `UPC ${upc}` : null
}
