import Libadwaita

/// Properties of widgets. The setters ignore an unchanged value, because screen readers would announce the
/// value again.
extension Ref {
    public var isVisible: Bool {
        get { gtk_widget_get_visible(self()) != 0 }
        nonmutating set { if newValue != isVisible { gtk_widget_set_visible(self(), newValue ? 1 : 0) } }
    }

    public var isSensitive: Bool {
        get { gtk_widget_get_sensitive(self()) != 0 }
        nonmutating set { if newValue != isSensitive { gtk_widget_set_sensitive(self(), newValue ? 1 : 0) } }
    }

    /// Whether the window has the focus. Without a keyboard (on a tablet), GTK reports no active window, so
    /// the state of the surface is also checked.
    public var isInFront: Bool {
        if gtk_window_is_active(self()) != 0 { return true }
        guard let surface = gtk_native_get_surface(self()) else { return false }
        return gdk_toplevel_get_state(surface).rawValue & GDK_TOPLEVEL_STATE_FOCUSED.rawValue != 0
    }

    /// Adds or removes a CSS class.
    public func setCSSClass(_ name: String, isSet: Bool) {
        guard isSet != (gtk_widget_has_css_class(self(), name) != 0) else { return }
        if isSet { gtk_widget_add_css_class(self(), name) } else { gtk_widget_remove_css_class(self(), name) }
    }

    /// The plain text of a label.
    public var text: String {
        get { String(cString: gtk_label_get_text(self())) }
        nonmutating set { if newValue != text { gtk_label_set_text(self(), newValue) } }
    }

    /// Wraps the text of a label after `characters` characters or at the available width,
    /// whichever is smaller.
    public func wrapText(atColumn characters: Int32) {
        gtk_label_set_wrap(self(), 1)
        gtk_label_set_wrap_mode(self(), PANGO_WRAP_WORD_CHAR)
        gtk_label_set_max_width_chars(self(), characters)
        // Workaround for GTK 4.8, which otherwise computes inconsistent minimum widths for some labels and
        // logs warnings.
        gtk_label_set_natural_wrap_mode(self(), GTK_NATURAL_WRAP_WORD)
        gtk_label_set_width_chars(self(), Int32(min(text.count, 10)))
    }

    /// Moves the keyboard focus to the widget. Returns whether the focus moved.
    @discardableResult
    public func grabFocus() -> Bool { gtk_widget_grab_focus(self()) != 0 }

    /// Sets the accessible name of the widget.
    public func setAccessibleLabel(_ text: String) {
        var property = GTK_ACCESSIBLE_PROPERTY_LABEL
        var value = GValue()
        g_value_init(&value, GType(16 << 2))  // G_TYPE_STRING
        g_value_set_string(&value, text)
        gtk_accessible_update_property_value(self(), 1, &property, &value)
        g_value_unset(&value)
    }

    /// Sets the accessible name of a menu button without a label. Also names the inner button, which gets the
    /// focus.
    public func setAccessibleLabelOfMenuButton(_ text: String) {
        setAccessibleLabel(text)
        Ref(orNil: gtk_widget_get_first_child(self()))?.setAccessibleLabel(text)
    }

    /// Scrolls the list box until `row` is visible. The list box must be in a scrolled window.
    public func scrollToRow(_ row: Ref) {
        var (x, y) = (0.0, 0.0)
        guard let adjustment = Ref(orNil: gtk_list_box_get_adjustment(self())),
            gtk_widget_translate_coordinates(row(), self(), 0, 0, &x, &y) != 0
        else { return }
        gtk_adjustment_clamp_page(adjustment(), y, y + Double(gtk_widget_get_height(row())))
    }

    /// The child widgets, in layout order.
    public var children: [Ref] {
        Array(
            sequence(first: Ref(orNil: gtk_widget_get_first_child(self()))) {
                $0.flatMap { Ref(orNil: gtk_widget_get_next_sibling($0())) }
            }.prefix { $0 != nil }.compactMap(\.self))
    }

    public var parent: Ref? { Ref(orNil: gtk_widget_get_parent(self())) }

    /// Sets a property that is an array of strings.
    public func setProperty(_ name: String, to texts: [String]) {
        var words = texts.map { g_strdup($0) } + [nil]
        defer { for word in words { g_free(word) } }
        var value = GValue()
        g_value_init(&value, g_strv_get_type())
        words.withUnsafeMutableBufferPointer { g_value_set_boxed(&value, $0.baseAddress) }
        g_object_set_property(self(), name, &value)
        g_value_unset(&value)
    }

    /// Sets a string property.
    public func setProperty(_ name: String, to text: String) {
        var value = GValue()
        g_value_init(&value, GType(16 << 2))
        g_value_set_string(&value, text)
        g_object_set_property(self(), name, &value)
        g_value_unset(&value)
    }
}
