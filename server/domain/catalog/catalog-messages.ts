/** Messages for missing required product and variant fields (specification, section 5). */

export const missingProductFields = 'Please fill in all required product fields (name, image)'
export const missingVariantFields = 'Please fill in all required variant fields'
export const selectProduct = 'Please select a product'
