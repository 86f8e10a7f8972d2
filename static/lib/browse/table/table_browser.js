// @ts-check
/// <reference lib="dom" />
import { visit } from "../../navigation.js";
import { Browser } from "../browser.js";
import { firstPage, tableSearch } from "./table_place.js";

/** @import { Place } from "../address.js" */
/** @import { BrowserProps } from "../folder.js" */
/** @import { TablePage } from "./table_place.js" */

/** The browser behind the plain table: what it lists are the rows of one page, and each page has an address. */
export class TableBrowser extends Browser {
  /** @override */
  isTable = true;

  /** @param {BrowserProps & { tablePage: TablePage }} props */
  constructor({ tablePage, ...props }) {
    super(props);
    this.tablePage = tablePage;
    this.loader.pageSize = tablePage.rows;
    this.loader.firstToken = tablePage.token;
    // The server has listed what begins with it.
    this.loader.listing.value.filter = props.place.filter;
  }

  /**
   * The address of another page of the folder.
   * @param {TablePage} page
   */
  pageHref(page) {
    const { prefix, filter } = this.place.value;
    return this.page + tableSearch({ prefix, filter }, page);
  }

  /**
   * @override
   * @param {Partial<Place>} place
   */
  search(place) {
    const { prefix, filter } = this.place.value;
    const isSameList = (place.prefix ?? "") === prefix && (place.filter ?? "") === filter;
    return tableSearch(place, isSameList ? this.tablePage : firstPage(this.tablePage));
  }

  /**
   * @override
   * @param {Place} place
   * @param {boolean} [replace]
   */
  navigate(place, replace = false) {
    const { prefix, filter } = this.place.value;
    if (place.prefix === prefix && place.filter === filter) super.navigate(place, replace);
    else visit(this.page + this.search(place), { replace });
  }

  /**
   * Lists the page anew.
   * @override
   */
  async reload() {
    const { prefix, filter, sort } = this.place.value;
    await this.loader.load(prefix, filter, sort);
  }

  /**
   * Each step of the history is a page of its own.
   * @override
   */
  followHistory() {}
}
