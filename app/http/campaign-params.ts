/** A parameter that an advertiser or a newsletter adds to a link. No page depends on it. */
const campaignParam = /^(?:utm_\w*|gclid|fbclid|msclkid)(?:=|$)/

/** A URL's search without the parameters of campaigns. The others stay as they are written. */
export function withoutCampaign(search: string): string {
  const rest = search
    .slice(1)
    .split('&')
    .filter((param) => !campaignParam.test(param))
    .join('&')
  return rest === '' ? '' : `?${rest}`
}

/**
 * The same for the address of a page, before its scripts run: they render what the server rendered
 * for the address without them. A script in the page, not in a file, which would load too late.
 */
export const campaignScript = `try{var s=location.search,k=s.slice(1).split('&').filter(p=>!${String(campaignParam)}.test(p)).join('&');if(s.length>k.length+1)history.replaceState(history.state,'',location.pathname+(k&&'?'+k)+location.hash)}catch{}`
