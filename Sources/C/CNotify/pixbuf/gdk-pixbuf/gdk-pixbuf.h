/// A replacement for GdkPixbuf's header. libnotify's headers use its type in two functions that this program
/// does not call. The original header, or the flags from libnotify's pkg-config file, would link the program
/// to the image library.
#ifndef CNOTIFY_GDK_PIXBUF_H
#define CNOTIFY_GDK_PIXBUF_H

typedef struct _GdkPixbuf GdkPixbuf;

#endif
