package javax.annotation;

/** Stands in for the annotation of jakarta.annotation-api 1.3, which marks generated code and does nothing. */
public @interface Generated {
    String[] value();

    String comments();

    String date() default "";
}
