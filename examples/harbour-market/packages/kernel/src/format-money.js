/**
 * Formats an amount of minor units for a receipt.
 *
 * @param {number} minor Amount in cents, pence or øre.
 * @param {string} [currency] ISO code of the currency.
 * @returns {string} For example `€12.50`.
 */
export function formatMoney(minor, currency = 'EUR') {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(minor / 100);
}

/**
 * Adds amounts of one currency; receipts never mix two.
 *
 * @param {...number} amounts Amounts in minor units.
 * @returns {number} Their sum.
 */
export const sumMinor = (...amounts) => amounts.reduce((sum, amount) => sum + amount, 0);
