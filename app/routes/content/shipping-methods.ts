/** Minimum and maximum delivery time in business days (specification, section 9, "Shipping"). */
export type ShippingMethod = { name: string; days: readonly [fewest: number, most: number] }

/** The end of the bars' scale: the slowest method. */
export const longestDelivery = 14

export const domesticMethods: readonly ShippingMethod[] = [
  { name: 'Standard', days: [3, 5] },
  { name: 'Express', days: [1, 2] },
]

export const internationalMethods: readonly ShippingMethod[] = [
  { name: 'Standard', days: [7, 14] },
  { name: 'Express', days: [3, 7] },
]

/** The stages of a shipment, in order. Not every shipment passes every stage. */
export const stages: readonly { title: string; time: string; words: string }[] = [
  { title: 'Order placed', time: 'Right away', words: 'We email you a confirmation.' },
  {
    title: 'Prescription review',
    time: 'Within 24 hours',
    words: 'Only for prescription medications, by one of our pharmacy partners.',
  },
  {
    title: 'Processing',
    time: '1-2 business days',
    words: 'The pharmacy prepares and packs your order.',
  },
  {
    title: 'Shipped',
    time: 'Standard or Express',
    words: 'We email you the tracking number.',
  },
  {
    title: 'Customs',
    time: 'May add 1-3 days',
    words: 'International orders only.',
  },
  { title: 'Delivered', time: 'At your door', words: 'In discreet packaging.' },
]
